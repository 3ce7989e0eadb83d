"""TrainJobs as users of the Kubeflow SDK lead them, from their runtimes to their deletion."""

import os
import time

from kubeflow.trainer import (
    CustomTrainer,
    CustomTrainerContainer,
    KubernetesBackendConfig,
    TrainerClient,
    update_trainjob_status,
)
from kubeflow.trainer.options import (
    ActiveDeadlineSeconds,
    Annotations,
    JobSetSpecPatch,
    JobSetTemplatePatch,
    JobSpecPatch,
    JobTemplatePatch,
    Labels,
    Name,
    PodSpecPatch,
    PodTemplatePatch,
    ReplicatedJobPatch,
    RuntimePatch,
    TrainingRuntimeSpecPatch,
)

from stand_in import ask, become, metrics

POLL = {"timeout": 120, "polling_interval": 1}


def train(epochs):
    print(f"trains for {epochs} epochs")


def on_labelled_nodes():
    pods = PodTemplatePatch(spec=PodSpecPatch(node_selector={"disk": "fast"}))
    jobs = [ReplicatedJobPatch("node", template=JobTemplatePatch(spec=JobSpecPatch(template=pods)))]
    return RuntimePatch(TrainingRuntimeSpecPatch(template=JobSetTemplatePatch(spec=JobSetSpecPatch(jobs))))


def finds_runtimes(client):
    runtime = client.get_runtime("torch")
    assert runtime.name in [it.name for it in client.list_runtimes()]
    assert runtime.kind.value == "TrainingRuntime"
    assert (runtime.trainer.framework, runtime.trainer.num_nodes) == ("torch", 1)
    assert (runtime.trainer.device, runtime.trainer.device_count) == ("cpu", "2"), runtime
    return runtime


def leads_a_train_job_to_its_end(client, runtime):
    name = client.train(
        runtime=runtime,
        trainer=CustomTrainer(
            func=train,
            func_args={"epochs": 3},
            num_nodes=2,
            resources_per_node={"cpu": 2, "memory": "1Gi"},
            env={"GREETING": "hello"},
        ),
        options=[Name("led"), Labels({"team": "a"}), on_labelled_nodes()],
    )
    assert client.get_job(name).status == "Created"
    assert [it.name for it in client.list_jobs(runtime=runtime)] == [name]
    ask("pods-are-there", name)
    assert list(client.get_job_logs(name)) == []  # its pods are pending

    ask("run", name)
    job = client.wait_for_job_status(name, status={"Running"}, **POLL)
    assert job.num_nodes == 2
    assert sorted(it.name for it in job.steps) == ["node-0", "node-1"]
    assert all(it.status == "Running" for it in job.steps)

    become(name)
    assert os.environ["GREETING"] == "hello"
    assert update_trainjob_status(40, 90, {"loss": 0.25, "epoch": 2})
    stored = ask("stored", name)
    assert stored["progressPercentage"] == 40, stored
    assert stored["estimatedRemainingSeconds"] == 90, stored
    assert metrics(stored) == {"loss": "0.25", "epoch": "2"}, stored

    ask("succeed", name)
    assert client.wait_for_job_status(name, **POLL).status == "Complete"
    client.delete_job(name)
    while client.list_jobs():
        time.sleep(0.2)


def hears_of_a_train_job_that_fails(client):
    name = client.train(
        runtime="torch",
        trainer=CustomTrainerContainer(image="registry.example/other:1"),
        options=[ActiveDeadlineSeconds(1)],
    )
    try:
        client.wait_for_job_status(name, **POLL)
        raise AssertionError("it did not fail")
    except RuntimeError as failure:
        assert "is Failed" in str(failure), failure
    client.delete_job(name)


def hears_what_the_controller_has_to_say(client):
    name = client.train(
        runtime="options-from-elsewhere", options=[Annotations({"waymark.dev/inject-agent": "true"})]
    )
    ask("pods-are-there", name)
    deadline = time.monotonic() + 60
    while not [it for it in client.get_job_events(name) if it.involved_object_kind == "TrainJob"]:
        assert time.monotonic() < deadline, client.get_job_events(name)
        time.sleep(0.2)
    event = client.get_job_events(name)[0]
    assert (event.involved_object_name, event.reason) == (name, "AgentNotInjected"), event
    client.delete_job(name)


def main():
    client = TrainerClient(
        KubernetesBackendConfig(config_file=os.environ["KUBECONFIG"], namespace=os.environ["NAMESPACE"])
    )
    runtime = finds_runtimes(client)
    leads_a_train_job_to_its_end(client, runtime)
    hears_of_a_train_job_that_fails(client)
    hears_what_the_controller_has_to_say(client)


if __name__ == "__main__":
    main()
