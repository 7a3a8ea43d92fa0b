import { expect, it } from 'vitest';
import { RowSum } from './row-sum.ts';

async function sumOf(...chunks: string[]): Promise<string> {
  const sum = new RowSum();
  const source = async function* (): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  };
  for await (const _ of sum.over(source()));
  return sum.digest();
}

it('sums rows in any order and any pieces, and tells repeated and changed rows', async () => {
  const sum = await sumOf('1\tGate\n2\tPort\n');
  expect(await sumOf('2\tPort\n1\tGate\n')).toBe(sum);
  expect(await sumOf('1\tGa', 'te\n2', '\tPort', '\n')).toBe(sum);
  expect(await sumOf('1\tGate\n2\tPort\n2\tPort\n')).not.toBe(sum);
  expect(await sumOf('1\tGate\n2\tPart\n')).not.toBe(sum);
  expect(await sumOf('1\tGate\n1\tGate\n')).not.toBe(await sumOf('2\tPort\n2\tPort\n'));
});
