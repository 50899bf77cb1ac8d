"""The families of metrics as objects of Prometheus' library."""

from collections.abc import Iterable
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector
from prometheus_client.exposition import choose_encoder

from adapters.redaction import Redactor
from domain.reading.measures.events import Measure
from domain.reading.measures.families import SHORT, Family, Kind

LONGEST_LABEL = 64


class Meters:
    """The metrics of one process."""

    def __init__(self, families: Iterable[Family], redactor: Redactor) -> None:
        self._redactor = redactor
        self._registry = CollectorRegistry()
        self._families = {family.name: self._made(family) for family in families}
        ProcessCollector(registry=self._registry)
        about = Info("treadle_build", "The version of Treadle.", registry=self._registry)
        about.info({"version": version("treadle")})

    def _made(self, family: Family) -> Counter | Gauge | Histogram:
        name, meaning, labels = family.name, family.meaning, family.labels
        match family.kind:
            case Kind.COUNTER:
                return Counter(name, meaning, labels, registry=self._registry)
            case Kind.GAUGE:
                return Gauge(name, meaning, labels, registry=self._registry)
            case Kind.HISTOGRAM:
                return Histogram(name, meaning, labels, registry=self._registry, buckets=SHORT)

    def add(self, measures: Iterable[Measure]) -> None:
        """Count and observe."""
        for measure in measures:
            metric = self._families[measure.family.name]
            child = metric.labels(*self._clean(measure.labels)) if measure.labels else metric
            if isinstance(child, Histogram):
                child.observe(measure.amount)
            elif isinstance(child, Counter):
                child.inc(measure.amount)

    def set(self, families: Iterable[Family], measures: Iterable[Measure]) -> None:
        """Set gauges; of these families what is not measured any more is gone."""
        wanted = list(measures)
        for family in families:
            if family.labels:
                self._families[family.name].clear()
        for measure in wanted:
            metric = self._families[measure.family.name]
            child = metric.labels(*self._clean(measure.labels)) if measure.labels else metric
            if isinstance(child, Gauge):
                child.set(measure.amount)

    def expose(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics, and their content type, in the newest format that a scraper accepts."""
        encode, content_type = choose_encoder(accept)
        return encode(self._registry), content_type

    def _clean(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._redactor.text(label)[:LONGEST_LABEL] for label in labels)
