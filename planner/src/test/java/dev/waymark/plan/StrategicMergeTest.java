package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategicMergeTest {

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "maps by key      | {nodeSelector:{a:1,b:2}}      | {nodeSelector:{b:3,c:4}}  | {nodeSelector:{a:1,b:3,c:4}}",
        "a new map        | {}                            | {nodeSelector:{a:1}}      | {nodeSelector:{a:1}}",
        "an empty patch   | {nodeSelector:{a:1}}          | {}                        | {nodeSelector:{a:1}}",
        "a scalar         | {terminationGracePeriodSeconds:30} | {terminationGracePeriodSeconds:0} | {terminationGracePeriodSeconds:0}",
        "null takes away  | {affinity:{x:1},keep:1}       | {affinity:null}           | {keep:1}",
        "null in a map    | {labels:{a:1,b:2}}            | {labels:{a:null}}         | {labels:{b:2}}",
        "null of nothing  | {}                            | {labels:{a:null,b:1}}     | {labels:{b:1}}",
        "null deep in new | {}                            | {affinity:{p:{q:null},r:[{s:null,t:1}]}} | {affinity:{p:{},r:[{t:1}]}}",
        "null in an item  | {containers:[{name:'a',securityContext:{x:1}}]} | {containers:[{name:'a',securityContext:null}]} | {containers:[{name:'a'}]}",
        "deep maps        | {securityContext:{a:1,c:{d:1}}} | {securityContext:{c:{e:2}}} | {securityContext:{a:1,c:{d:1,e:2}}}",
        "lists replaced   | {tolerations:[{key:'a'},{key:'b'}]} | {tolerations:[{key:'c'}]} | {tolerations:[{key:'c'}]}",
        "an empty list    | {tolerations:[{key:'a'}]}     | {tolerations:[]}          | {tolerations:[]}",
        "false and empty  | {env:[{name:'A',value:'1'}],volumeMounts:[{mountPath:'/a',readOnly:true}]} | {env:[{name:'A',value:''}],volumeMounts:[{mountPath:'/a',readOnly:false}]} | {env:[{name:'A',value:''}],volumeMounts:[{mountPath:'/a',readOnly:false}]}",
        "deep lists too   | {affinity:{n:{terms:[1,2]}}}  | {affinity:{n:{terms:[3]}}} | {affinity:{n:{terms:[3]}}}",
        "capabilities     | {securityContext:{capabilities:{drop:['A'],add:['B']}}} | {securityContext:{capabilities:{drop:['C']}}} | {securityContext:{capabilities:{drop:['C'],add:['B']}}}",
        "by name          | {containers:[{name:'a',image:'i'},{name:'b'}]} | {containers:[{name:'a',env:[]}]} | {containers:[{name:'a',image:'i',env:[]},{name:'b'}]}",
        "by mountPath     | {volumeMounts:[{name:'x',mountPath:'/a'}]} | {volumeMounts:[{name:'y',mountPath:'/a'}]} | {volumeMounts:[{name:'y',mountPath:'/a'}]}",
        "one volume twice | {volumeMounts:[{name:'x',mountPath:'/a'}]} | {volumeMounts:[{name:'x',mountPath:'/b'}]} | {volumeMounts:[{name:'x',mountPath:'/b'},{name:'x',mountPath:'/a'}]}",
        "by containerPort | {ports:[{containerPort:1,name:'a'}]} | {ports:[{containerPort:1,protocol:'UDP'}]} | {ports:[{containerPort:1,name:'a',protocol:'UDP'}]}",
        "through the jobs | {replicatedJobs:[{name:'j',template:{spec:{template:{spec:{containers:[{name:'c',env:[{name:'A',value:'1'}]}]}}}}}]} | {replicatedJobs:[{name:'j',template:{spec:{template:{spec:{containers:[{name:'c',env:[{name:'A',value:'2'}]}]}}}}}]} | {replicatedJobs:[{name:'j',template:{spec:{template:{spec:{containers:[{name:'c',env:[{name:'A',value:'2'}]}]}}}}}]}",
        "same item twice  | {schedulingGates:[]}          | {schedulingGates:[{name:'g'},{name:'g'}]} | {schedulingGates:[{name:'g'}]}",
      })
  void merges(String what, String original, String patch, String expected) throws Exception {
    assertThat(merged(original, patch)).isEqualTo(sorted(read(expected)));
  }

  /** The orders that upstream's controller really made (the first four), and the edges. */
  @ParameterizedTest(name = "{0} + {1} = {2}")
  @CsvSource({
    "A B C,X C A Y,X B C A Y",
    "node one two,two one,node two one",
    "v1 v2,n1 v2 n2,n1 v1 v2 n2",
    "p1 p2,q p2,q p1 p2",
    "A B C,'',A B C",
    "'',X Y,X Y",
    "A,N,N A",
    "A B C,C,A B C",
    "A B C,A,A B C",
    "A B C,C B A,C B A",
    "A B C D,D N B,A C D N B",
  })
  void weavesTheOrders(String original, String patch, String expected) throws Exception {
    assertThat(merged(env(original), env(patch))).isEqualTo(sorted(read(env(expected))));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "another source     | {volumes:[{name:'v',emptyDir:{}}]} | {volumes:[{name:'v',persistentVolumeClaim:{claimName:'c'}}]} | {volumes:[{name:'v',persistentVolumeClaim:{claimName:'c'}}]}",
        "the same source    | {volumes:[{name:'v',configMap:{name:'a',optional:true}}]} | {volumes:[{name:'v',configMap:{name:'b'}}]} | {volumes:[{name:'v',configMap:{name:'b',optional:true}}]}",
        "only its name      | {volumes:[{name:'v',emptyDir:{}}]} | {volumes:[{name:'v'}]} | {volumes:[{name:'v',emptyDir:{}}]}",
        "old source by null | {volumes:[{name:'v',emptyDir:{}}]} | {volumes:[{name:'v',emptyDir:null,hostPath:{path:'/p'}}]} | {volumes:[{name:'v',hostPath:{path:'/p'}}]}",
        "value for source   | {env:[{name:'A',valueFrom:{fieldRef:{fieldPath:'p'}}}]} | {env:[{name:'A',value:'1'}]} | {env:[{name:'A',value:'1'}]}",
        "source for value   | {env:[{name:'A',value:'1'}]} | {env:[{name:'A',valueFrom:{fieldRef:{fieldPath:'p'}}}]} | {env:[{name:'A',valueFrom:{fieldRef:{fieldPath:'p'}}}]}",
        "source for source  | {env:[{name:'A',valueFrom:{secretKeyRef:{name:'s',key:'k'}}}]} | {env:[{name:'A',valueFrom:{configMapKeyRef:{name:'c',key:'k'}}}]} | {env:[{name:'A',valueFrom:{configMapKeyRef:{name:'c',key:'k'}}}]}",
        "mounts keep theirs | {volumeMounts:[{name:'x',mountPath:'/a',readOnly:true}]} | {volumeMounts:[{name:'y',mountPath:'/a'}]} | {volumeMounts:[{name:'y',mountPath:'/a',readOnly:true}]}",
      })
  void oneSourceOnly(String what, String original, String patch, String expected) throws Exception {
    assertThat(merged(original, patch)).isEqualTo(sorted(read(expected)));
  }

  /** Also proves that neither argument is changed. */
  private static String merged(String original, String patch) throws JsonProcessingException {
    Map<String, Object> before = read(original);
    Map<String, Object> change = read(patch);

    String merged = sorted(StrategicMerge.merge(before, change));

    assertThat(before).isEqualTo(read(original));
    assertThat(change).isEqualTo(read(patch));
    return merged;
  }

  private static String env(String names) {
    return "{env:["
        + (names.isEmpty() ? "" : "{name:'" + names.replace(" ", "'},{name:'") + "'}")
        + "]}";
  }

  private static Map<String, Object> read(String json) throws JsonProcessingException {
    return JSON.readValue(json, new TypeReference<>() {});
  }

  private static String sorted(Map<String, Object> value) throws JsonProcessingException {
    return JSON.writeValueAsString(value);
  }
}
