"""flavourbench from Python over a pipe: one process for a session, the standard library alone."""

import base64
import json
import subprocess
import threading


class FlavourbenchError(Exception):
    """What a request was answered with instead of a result."""

    def __init__(self, error):
        hint = f" ({error['hint']})" if error.get("hint") else ""
        super().__init__(f"{error['code']}: {error['what']}{hint}")
        self.code = error["code"]


class Flavourbench:
    """A session: `with Flavourbench(tasks=["panel-1.json"]) as bench: bench.score(answers)`. Safe to share between threads."""

    def __init__(self, tasks=(), core=None, command=("flavourbench",)):
        call = [*command, "pipe"]
        call += ["--tasks", *tasks] if tasks else []
        call += ["--core", core] if core else []
        self._process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.Lock()
        self._id = 0

    def ask(self, op, **fields):
        """The answer to one request; FlavourbenchError where it is refused, after which the session goes on."""
        with self._lock:
            self._id += 1
            line = json.dumps({"id": self._id, "op": op, **fields}, allow_nan=False)
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
            reply = json.loads(self._process.stdout.readline() or b"null")
        if reply is None or reply["id"] not in (self._id, None):
            raise RuntimeError(f"flavourbench ended with exit code {self._process.wait()}")
        if "error" in reply:
            raise FlavourbenchError(reply["error"])
        return reply["answer"]

    def score(self, answers, **more):
        """Scores rows such as {"task_id": ..., "response": ...}, in their order."""
        return self.ask("score", answers=answers, **more)["scores"]

    def audit(self, table, **options):
        """Which ranks a table supports: its text, or the bytes of a file."""
        given = {"table": table} if isinstance(table, str) else {"base64": base64.b64encode(table).decode()}
        return self.ask("audit", **given, options=options)

    def close(self):
        self._process.stdin.close()
        return self._process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
