"""How well and how fast it works here: eval, bench."""

from __future__ import annotations

from yinji.interfaces.cli.call import Call
from yinji.interfaces.cli.entry import DONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from yinji.evals.report import Report


def eval_(call: Call) -> int:
    from yinji import evals

    options = call.options
    with call.progress() as progress:
        report = evals.run(
            options.name,
            options.data,
            out=options.out,
            against=options.against,
            progress=progress.count,
            limit=options.limit,
            settings=call.settings(),
        )
    return _shown(call, report)


def bench(call: Call) -> int:
    from yinji.evals import bench_language
    from yinji.evals.bench import run

    with call.progress() as progress:
        if call.options.language:
            return _shown(call, bench_language.run(progress=progress.count))
        report = run(call.options.sizes, progress=progress.count, settings=call.settings())
    return _shown(call, report)


def _shown(call: Call, report: Report) -> int:
    if call.screen.json:
        call.screen.value(report.as_json())
    else:
        call.screen.data(report.as_table(call.say.language))
    return DONE
