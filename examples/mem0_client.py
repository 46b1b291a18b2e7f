"""Code that was written for mem0, on one local file: only the import is another.

pip install yinji
python examples/mem0_client.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from yinji import Memory as Yinji
from yinji.integrations.mem0 import Memory  # was: from mem0 import Memory


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Yinji.open(Path(folder) / "memory.yinji") as yinji:
        memory = Memory(yinji)
        chat = [
            {"role": "user", "content": "I'm allergic to peanuts"},
            {"role": "assistant", "content": "I'll keep that in mind."},
        ]
        for one in memory.add(chat, user_id="ann", metadata={"channel": "web"})["results"]:
            print(one["event"], one["memory"])
        for one in memory.add("我对花生过敏", user_id="李雷", run_id="周一")["results"]:
            print(one["event"], one["memory"])

        # 1.x names the user, 2.x filters by it
        print([one["memory"] for one in memory.search("What am I allergic to?", user_id="ann", limit=3)["results"]])
        found = memory.search("我对什么过敏？", filters={"user_id": "李雷"}, top_k=3)["results"]
        print([one["memory"] for one in found])
        print([one["memory"] for one in memory.get_all(filters={"user_id": "ann", "channel": "web"})["results"]])

        memory.update(found[0]["id"], text="李雷对花生和虾过敏")
        print([one["event"] for one in memory.history(found[0]["id"])])
        print(memory.delete_all(user_id="ann")["message"])
        print(memory.get_all(filters={"user_id": "ann"})["results"])


if __name__ == "__main__":
    main()
