"""Every example of README.md runs, each in a separate folder."""

import pathlib
import re

import pytest

README = pathlib.Path(__file__).parent.parent / "README.md"
EXAMPLES = re.findall(r"^## (.*?)$|^```python\n(.*?)^```", "# \n" + README.read_text("utf-8"), re.M | re.S)


def examples() -> dict[str, str]:
    """The examples, by the heading that each stands under."""
    found: dict[str, str] = {}
    heading = "start"
    for title, code in EXAMPLES:
        heading = title or heading
        if code:
            found[f"{heading} {len(found)}"] = code
    return found


def test_there_are_examples() -> None:
    assert {name.split()[0] for name in examples()} >= {"start", "Offsets", "Files,", "pandas", "polars"}


@pytest.mark.parametrize("name", examples())
def test_example(name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = examples()[name]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, name, "exec"), {})  # noqa: S102
