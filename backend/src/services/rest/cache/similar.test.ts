import { expect, it } from 'vitest';
import { MIN_NAME_SCORE, mostSimilar } from './similar.ts';

// From PostgREST's own tests.
it.each<[string, string[], string | undefined]>([
  ['itens', ['items', 'makers'], 'items'],
  ['ITEMS', ['items'], 'items'],
  ['garlic', ['bars', 'trash', 'articles'], 'articles'],
  // Trigrams count before the edit distance.
  ['fake', ['fee', 'factories'], 'factories'],
  ['car_models_default', ['car_models', 'car_model_sales'], 'car_model_sales'],
  ['(wrong_arg)', ['()', '(a, b)', '(a, b, c)'], undefined],
  ['(a, b, wrong_arg)', ['()', '(a, b)', '(a, b, c)'], '(a, b, c)'],
  ['xyzzy', ['items'], undefined],
  ['', ['items'], undefined],
  ['i'.repeat(64), ['items'], undefined],
])('%s: %j', (name, known, meant) => {
  expect(mostSimilar(name, known)).toBe(meant);
});

it.each([
  ['itens', 'items'],
  ['ite', undefined],
  ['garlic', undefined],
])('reveals a name only to who nearly knew it: %s', (name, meant) => {
  expect(mostSimilar(name, ['items', 'articles'], MIN_NAME_SCORE)).toBe(meant);
});
