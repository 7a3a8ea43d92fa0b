// The text format that Prometheus reads, version 0.0.4.

export interface Sample {
  /** Few values each: never an id, an address or a path. */
  labels?: Record<string, string>;
  value: number;
  /** `_bucket`, `_sum` or `_count` of a histogram. */
  suffix?: string;
}

export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: Sample[];
}

export const gauge = (name: string, help: string, ...samples: Sample[]): Metric => ({
  name,
  help,
  type: 'gauge',
  samples,
});

export const counter = (name: string, help: string, ...samples: Sample[]): Metric => ({
  name,
  help,
  type: 'counter',
  samples,
});

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

function labelsOf(labels: Record<string, string> = {}): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return all.length === 0 ? '' : `{${all.join(',')}}`;
}

/** A metric without samples is left out. */
export function render(metrics: Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help.replaceAll('\n', ' ')}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ labels, value, suffix = '' }) => `${name}${suffix}${labelsOf(labels)} ${value}`,
      ),
    ])
    .join('\n')
    .concat('\n');
}
