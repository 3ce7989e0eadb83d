"""What transformers' Trainer does with the callback that it finds for itself in a TrainJob's pod."""

import sys
import time

from stand_in import ask, become, metrics

TRAIN_JOB = sys.argv[1]


def main():
    become(TRAIN_JOB)
    from transformers.integrations import KubeflowCallback
    from transformers.integrations.integration_utils import get_available_reporting_integrations
    from transformers.trainer_callback import TrainerState

    assert "kubeflow" in get_available_reporting_integrations()
    callback = KubeflowCallback()
    state = TrainerState(max_steps=200)

    callback.on_train_begin(None, state, None)
    stored = ask("stored", TRAIN_JOB)
    assert stored["progressPercentage"] == 0, stored
    assert metrics(stored) == {"total_steps": "200"}, stored

    time.sleep(5.1)  # it sends nothing sooner
    state.global_step, state.epoch = 50, 1.5
    callback.on_log(None, state, None, logs={"loss": 0.5, "learning_rate": 5e-05, "note": "no number"})
    callback.on_step_end(None, state, None)
    stored = ask("stored", TRAIN_JOB)
    assert stored["progressPercentage"] == 25, stored
    assert stored["estimatedRemainingSeconds"] in range(10, 60), stored
    assert metrics(stored) == {
        "loss": "0.5",
        "learning_rate": "5e-05",
        "current_step": "50",
        "total_steps": "200",
        "current_epoch": "1.5",
    }, stored

    callback.on_train_end(None, state, None)
    stored = ask("stored", TRAIN_JOB)
    assert (stored["progressPercentage"], stored["estimatedRemainingSeconds"]) == (100, 0), stored


if __name__ == "__main__":
    main()
