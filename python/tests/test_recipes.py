"""Runs every example of README.md, each in a separate folder."""

import pathlib
import re

import pytest

README = pathlib.Path(__file__).parent.parent / "README.md"
HEADINGS_AND_CODE = re.findall(r"^## (.*?)$|^```python\n(.*?)^```", "# \n" + README.read_text("utf-8"), re.M | re.S)


def examples() -> dict[str, str]:
    """Returns the examples by their headings, each with a number."""
    code_by_name: dict[str, str] = {}
    heading = "start"
    for title, code in HEADINGS_AND_CODE:
        heading = title or heading
        if code:
            code_by_name[f"{heading} {len(code_by_name)}"] = code
    return code_by_name


def test_the_examples_are_found() -> None:
    assert {name.split()[0] for name in examples()} >= {"start", "Offsets", "Files,", "pandas", "polars"}


@pytest.mark.parametrize("name", examples())
def test_example_runs(name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = examples()[name]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, name, "exec"), {})  # noqa: S102
