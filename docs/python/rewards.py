"""Reward functions over flavourbench: `client` is a Flavourbench (a pipe) or a FlavourbenchServer (HTTP)."""

import json


def _parsed(value):
    """Maps and choices may stand in tables as JSON text."""
    return json.loads(value) if isinstance(value, str) else value


def trl_reward(client):
    """A reward function for TRL: `GRPOTrainer(reward_funcs=trl_reward(client), ...)`.

    Columns of the data set come in as lists, one entry a completion: `selection_scores_bps` with `choices`, as `transfer split`
    writes them, or `task_id` alone for tasks that the client was started with.
    """

    def flavourbench_reward(completions, selection_scores_bps=None, choices=None, task_id=None, **_):
        fields = {"completions": completions}
        if task_id is not None:
            fields["task_ids"] = list(task_id)
        if selection_scores_bps is not None:
            fields["selection_scores_bps"] = [_parsed(each) for each in selection_scores_bps]
            fields["choices"] = [_parsed(each) for each in choices]
        return client.ask("reward", **fields)["rewards"]

    return flavourbench_reward


def verifiers_reward(client):
    """A reward function for environments in the manner of verifiers: `Rubric(funcs=[verifiers_reward(client)])`.

    One completion at a time; `info` of the example holds `task_id`, or `selection_scores_bps` with `choices`.
    """
    batch = trl_reward(client)

    def flavourbench_reward(completion, info, **_):
        columns = ("task_id", "selection_scores_bps", "choices")
        return batch([completion], **{name: [info[name]] for name in columns if name in info})[0]

    return flavourbench_reward
