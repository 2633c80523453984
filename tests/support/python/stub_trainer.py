"""Stands in for a trainer: calls reward functions as TRL and verifiers do, and prints what they returned, as JSON."""

import asyncio
import inspect
import json
import sys
import threading

sys.path.insert(0, sys.argv[1])
from rewards import trl_reward, verifiers_reward  # noqa: E402


class StubTrainer:
    """A GRPO trainer without a model: every column of the rows comes in as a list, one entry a completion."""

    def __init__(self, reward_funcs, train_dataset):
        self.reward_funcs, self.rows = reward_funcs, train_dataset

    def step(self, completions, generations):
        rows = [row for row in self.rows for _ in range(generations)]
        columns = {key: [row[key] for row in rows] for key in rows[0] if key != "prompt"}
        prompts = [row["prompt"] for row in rows]
        return [f(prompts=prompts, completions=completions, completion_ids=None, trainer_state=None, **columns) for f in self.reward_funcs]


class StubRubric:
    """A rubric: one completion at a time, each function given those arguments that it names or all."""

    def __init__(self, funcs):
        self.funcs = funcs

    async def score(self, **given):
        results = [f(**given) for f in self.funcs]
        return [await r if inspect.isawaitable(r) else r for r in results]


def refusal(work):
    try:
        work()
    except Exception as error:
        return type(error).__name__, getattr(error, "code", None), str(error)
    return None


def run(client):
    given = json.load(sys.stdin)
    rows, completions = given["rows"], given["completions"]
    trainer = StubTrainer([trl_reward(client)], rows)
    chats = [[{"role": "assistant", "content": text}] for text in completions]
    as_text = [{**row, "selection_scores_bps": json.dumps(row["selection_scores_bps"]), "choices": json.dumps(row["choices"])} for row in rows]
    names = [{"task_id": row["task_id"], "prompt": row["prompt"]} for row in rows]
    rubric = StubRubric([verifiers_reward(client)])
    verified = [
        asyncio.run(rubric.score(prompt=[], completion=chat, answer="", state={}, task="", info={"task_id": row["task_id"]}))[0]
        for chat, row in zip(chats, [row for row in rows for _ in range(given["generations"])])
    ]
    threads = [None] * 8
    def work(i):
        threads[i] = trainer.step(completions, given["generations"])[0]
    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(threads))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return {
        "texts": trainer.step(completions, given["generations"])[0],
        "chats": trainer.step(chats, given["generations"])[0],
        "map_as_text": StubTrainer([trl_reward(client)], as_text).step(completions, given["generations"])[0],
        "by_id": StubTrainer([trl_reward(client)], names).step(completions, given["generations"])[0],
        "verified": verified,
        "threads_agree": all(one == threads[0] for one in threads),
        "unknown": refusal(lambda: client.ask("reward", completions=["x"], task_ids=["no such task"])),
        "after": client.ask("reward", completions=["x"], task_ids=[rows[0]["task_id"]]),
        "scores": client.ask("score", answers=[{"task_id": rows[0]["task_id"], "response": completions[0]}])["scores"],
        "audit": client.ask("audit", table=given["table"], options={"draws": 200, "flips": 300})["verdict"],
    }


if sys.argv[2] == "pipe":
    from flavourbench_pipe import Flavourbench

    with Flavourbench(tasks=sys.argv[4:], command=sys.argv[3].split("\x1f")) as bench:
        print(json.dumps({**run(bench), "end": bench.close()}))
else:
    from flavourbench_http import FlavourbenchServer

    print(json.dumps(run(FlavourbenchServer(sys.argv[3], token=sys.argv[4] or None))))
