import { describe, expect, test } from 'vitest';
import { parseAppConfig } from './app-config.ts';

const config = {
  supabaseUrl: 'https://portal.example',
  supabaseAnonKey: 'key',
  signupPolicy: 'approval',
  isDemo: false,
};

describe('the configuration of the app', () => {
  test('is read with or without map tiles', () => {
    expect(parseAppConfig(config)).toEqual(config);
    const mapTiles = { url: 'https://tiles.example/{z}/{x}/{y}.png', credit: 'Maps' };
    expect(parseAppConfig({ ...config, mapTiles })).toEqual({ ...config, mapTiles });
  });

  test('of a server that does not say so is not the demo', () => {
    const { isDemo: _, ...older } = config;
    expect(parseAppConfig(older).isDemo).toBe(false);
    expect(parseAppConfig({ ...config, isDemo: true }).isDemo).toBe(true);
  });

  test('says of a demo whether its history is still being filled', () => {
    const demo = { ...config, isDemo: true };
    expect(parseAppConfig({ ...demo, isDemoFilling: true })).toEqual({
      ...demo,
      isDemoFilling: true,
    });
    expect(parseAppConfig({ ...demo, isDemoFilling: false })).toEqual(demo);
  });

  test.each([
    ['a page of a captive portal', '<html>'],
    ['null', null],
    ['another policy', { ...config, signupPolicy: 'sometimes' }],
    ['no key', { ...config, supabaseAnonKey: '' }],
  ])('is not %s', (_, answer) => {
    expect(() => parseAppConfig(answer)).toThrow('unreadable configuration');
  });
});
