import { describe, expect, it } from 'vitest';
import { deviceName, isHandheld } from './device-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a device', () => {
  it.each([
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36`,
      'Chrome on Windows',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/130.0 Safari/537.36 Edg/130.0`,
      'Edge on Windows',
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; K) ${WEBKIT} Chrome/130.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      `Mozilla/5.0 (Linux; Android 13) ${WEBKIT} SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox on Linux'],
    ['node', 'Unknown device'],
    [null, 'Unknown device'],
  ])('%s', (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });

  it('recognises a phone', () => {
    expect(isHandheld('Mozilla/5.0 (Linux; Android 14; K) Mobile')).toBe(true);
    expect(isHandheld('Mozilla/5.0 (Windows NT 10.0)')).toBe(false);
  });
});
