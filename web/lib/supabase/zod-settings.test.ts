import { expect, test } from 'vitest';

test('Zod compiles none of its checks', async () => {
  await import('./zod-settings.ts');
  const z = await import('zod');
  expect(z.config().jitless).toBe(true);
});
