"""GPT Researcher, by the interpreter of an environment that has it: a run for each line of the input, told as a line of JSON.

Its estimate of costs is left out where the tables of ``tiktoken`` cannot be loaded: that needs the network, and is not compared.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from gpt_researcher import GPTResearcher

RAN = "RAN "
"""Begins the lines that tell of a run; libraries print others."""


async def once(question: str) -> dict[str, float]:
    """Return what one run took and made."""
    began = time.perf_counter()
    researcher = GPTResearcher(query=question, report_type="research_report", verbose=False)
    await researcher.conduct_research()
    report = await researcher.write_report()
    return {
        "seconds": time.perf_counter() - began,
        "pages": len(researcher.get_research_sources()),
        "letters": len(report),
    }


def leave_out_costs() -> None:
    """Let costs count nothing where they cannot be counted."""
    import tiktoken
    from gpt_researcher.skills import context_manager, researcher
    from gpt_researcher.utils import costs, llm

    try:
        tiktoken.get_encoding(costs.ENCODING_MODEL)
    except OSError:
        for module in (costs, llm, researcher, context_manager):
            for name in ("estimate_llm_cost", "estimate_embedding_cost"):
                if hasattr(module, name):
                    setattr(module, name, lambda *_, **__: 0.0)
        print("without the estimate of costs", file=sys.stderr)


if __name__ == "__main__":
    leave_out_costs()
    for line in sys.stdin:
        print(f"{RAN}{json.dumps(asyncio.run(once(line.strip())))}", flush=True)
