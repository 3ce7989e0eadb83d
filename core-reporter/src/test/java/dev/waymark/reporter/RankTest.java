package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankTest {
  @ParameterizedTest(name = "{0}: leader {1}, {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                                 | true  | 0
          JOB_COMPLETION_INDEX=0                             | true  | 0
          JOB_COMPLETION_INDEX=3                             | false | 3 (JOB_COMPLETION_INDEX)
          PET_NODE_RANK=0                                    | true  | 0
          PET_NODE_RANK=1                                    | false | 1 (PET_NODE_RANK)
          PET_NODE_RANK=0 LOCAL_RANK=0                       | true  | 0
          PET_NODE_RANK=0 LOCAL_RANK=1                       | false | 1 (LOCAL_RANK)
          PET_NODE_RANK=1 LOCAL_RANK=0                       | false | 1 (PET_NODE_RANK)
          JOB_COMPLETION_INDEX=0 LOCAL_RANK=2                | false | 2 (LOCAL_RANK)
          JOB_COMPLETION_INDEX=1 PET_NODE_RANK=1 RANK=8      | false | 1 (JOB_COMPLETION_INDEX)
          JOB_COMPLETION_INDEX=0 RANK=8                      | false | 8 (RANK)
          JOB_COMPLETION_INDEX=1 RANK=0                      | false | 1 (JOB_COMPLETION_INDEX)
          RANK=0 LOCAL_RANK=0                                | true  | 0
          JOB_COMPLETION_INDEX=0 OMPI_COMM_WORLD_RANK=1      | false | 1 (OMPI_COMM_WORLD_RANK)
          JOB_COMPLETION_INDEX=0 OMPI_COMM_WORLD_RANK=0      | true  | 0
          PMIX_RANK=1                                        | false | 1 (PMIX_RANK)
          PMI_RANK=1                                         | false | 1 (PMI_RANK)
          MV2_COMM_WORLD_RANK=1                              | false | 1 (MV2_COMM_WORLD_RANK)
          SLURM_PROCID=1                                     | false | 1 (SLURM_PROCID)
          JAX_PROCESS_ID=1                                   | false | 1 (JAX_PROCESS_ID)
          DMLC_TASK_ID=1                                     | false | 1 (DMLC_TASK_ID)
          WAYMARK_RANK=0 JOB_COMPLETION_INDEX=3 RANK=3       | true  | 0 (WAYMARK_RANK)
          WAYMARK_RANK=2 JOB_COMPLETION_INDEX=0              | false | 2 (WAYMARK_RANK)
          WAYMARK_RANK=leader JOB_COMPLETION_INDEX=3         | false | 3 (JOB_COMPLETION_INDEX)
          WAYMARK_RANK=-1 JOB_COMPLETION_INDEX=3             | false | 3 (JOB_COMPLETION_INDEX)
          RANK=node-1                                        | true  | 0
          RANK=-1                                            | true  | 0
          RANK=99999999999                                   | true  | 0
          NODE_RANK=1                                        | true  | 0
          """)
  void onlyTheProcessThatIsZeroByAllLeads(String variables, boolean leader, String told) {
    Map<String, String> environment = new HashMap<>();
    for (String variable : variables.split(" ")) {
      int equals = variable.indexOf('=');
      if (equals > 0) {
        environment.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }

    Rank rank = Rank.detect(environment::get);

    assertThat(rank.isLeader()).isEqualTo(leader);
    assertThat(rank).hasToString(told);
  }
}
