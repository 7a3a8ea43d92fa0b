import { expect, test } from 'vitest';
import { Requests } from './requests.ts';
import { counter, gauge, render } from './text.ts';

test('metrics are lines with their help, type and labels; one without samples is left out', () => {
  expect(
    render([
      gauge('up', 'Whether it is up.', { value: 1 }),
      counter('seen_total', 'Seen.', { labels: { by: 'a "b"\\\n' }, value: 2 }),
      gauge('unknown', 'Nobody knows.'),
    ]),
  ).toBe(`# HELP up Whether it is up.
# TYPE up gauge
up 1
# HELP seen_total Seen.
# TYPE seen_total counter
seen_total{by="a \\"b\\"\\\\\\n"} 2
`);
});

test('requests are counted by service, whatever their path, method or status', () => {
  const requests = new Requests();
  requests.count('/rest/v1/profiles?id=eq.7', 'GET', 200, 4);
  requests.count('/rest/v1/profiles/secret-7', 'GET', 204, 40);
  requests.count('/rest/v1/profiles', 'PROPFIND', 599, 40_000);
  requests.count('/restaurant/7', 'GET', 404, 1);
  const text = render(requests.metrics());
  expect(text).toContain('http_requests_total{service="rest",method="GET",status="2xx"} 2');
  expect(text).toContain('http_requests_total{service="rest",method="other",status="5xx"} 1');
  expect(text).toContain('http_requests_total{service="static",method="GET",status="4xx"} 1');
  expect(text).toContain('http_request_duration_seconds_bucket{service="rest",le="0.005"} 1');
  expect(text).toContain('http_request_duration_seconds_bucket{service="rest",le="10"} 2');
  expect(text).toContain('http_request_duration_seconds_bucket{service="rest",le="+Inf"} 3');
  expect(text).toContain('http_request_duration_seconds_count{service="rest"} 3');
  expect(text).not.toContain('7');
});
