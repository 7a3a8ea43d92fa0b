// Counts requests by service. Labels have few values, whatever clients send.
import { counter, type Metric, type Sample } from './text.ts';

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SERVICE = /^\/(auth|rest|storage|realtime|functions)\/v1(?:[/?]|$)/;
const OWN = /^\/(?:healthz|readyz|metrics)(?:[/?]|$)/;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface Durations {
  buckets: number[];
  sum: number;
  count: number;
}

export const isHealth = (url: string): boolean => OWN.test(url);

export const labelService = (url: string): string =>
  SERVICE.exec(url)?.[1] ?? (isHealth(url) ? 'health' : 'static');

export const labelMethod = (method: string): string => (METHODS.has(method) ? method : 'other');

export class Requests {
  readonly #counts = new Map<string, { labels: Record<string, string>; value: number }>();
  readonly #durations = new Map<string, Durations>();

  count(url: string, method: string, status: number, milliseconds: number): void {
    const service = labelService(url);
    const labels = {
      service,
      method: labelMethod(method),
      status: `${Math.floor(status / 100)}xx`,
    };
    const key = `${service} ${labels.method} ${labels.status}`;
    const known = this.#counts.get(key);
    if (known) known.value += 1;
    else this.#counts.set(key, { labels, value: 1 });
    // A socket lasts as long as its page is open.
    if (status === 101) return;
    this.#time(service, milliseconds / 1000);
  }

  #time(service: string, seconds: number): void {
    const own = this.#durations.get(service) ?? { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
    this.#durations.set(service, own);
    const at = BUCKETS.findIndex((limit) => seconds <= limit);
    if (at >= 0) own.buckets[at] = (own.buckets[at] ?? 0) + 1;
    own.sum += seconds;
    own.count += 1;
  }

  /** Answers of each service, how many of them failed on our side, and how long they took. */
  summary(): { service: string; requests: number; failed: number; averageMs: number | null }[] {
    const services = new Map<string, { requests: number; failed: number }>();
    for (const { labels, value } of this.#counts.values()) {
      const { service = '', status } = labels;
      const own = services.get(service) ?? { requests: 0, failed: 0 };
      own.requests += value;
      if (status === '5xx') own.failed += value;
      services.set(service, own);
    }
    return [...services].map(([service, counts]) => {
      const { sum = 0, count = 0 } = this.#durations.get(service) ?? {};
      return { service, ...counts, averageMs: count === 0 ? null : (sum / count) * 1000 };
    });
  }

  metrics(): Metric[] {
    const samples = [...this.#durations].flatMap(([service, { buckets, sum, count }]): Sample[] => {
      let below = 0;
      const limits = BUCKETS.map((limit, index) => {
        below += buckets[index] ?? 0;
        return { suffix: '_bucket', labels: { service, le: String(limit) }, value: below };
      });
      return [
        ...limits,
        { suffix: '_bucket', labels: { service, le: '+Inf' }, value: count },
        { suffix: '_sum', labels: { service }, value: sum },
        { suffix: '_count', labels: { service }, value: count },
      ];
    });
    return [
      counter('http_requests_total', 'Answered requests.', ...this.#counts.values()),
      {
        name: 'http_request_duration_seconds',
        help: 'From the first byte of a request to the end of its answer.',
        type: 'histogram',
        samples,
      },
    ];
  }
}
