"""Train the shipped model by the command that its card names, and keep it with its log.

`python -m docs.figures._shipped_model` writes transformer/inference/pretrained.safetensors and
docs/measured/training.json, which the figure `training_curves` draws: twenty minutes on one core.
"""

import json
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from transformer.cli import main
from transformer.inference.shipped import PRETRAINED

RESULT = Path(__file__).parents[1] / "measured" / "training.json"

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        run = Path(folder) / "shipped"
        with suppress(SystemExit):  # in this process, so that its code is noted
            main(["train", str(run)])
        shutil.copyfile(run / "model.safetensors", PRETRAINED)
        log = [json.loads(line) for line in (run / "log.jsonl").read_text("utf-8").splitlines()]
    RESULT.write_text(json.dumps({"log": log}), "utf-8")
