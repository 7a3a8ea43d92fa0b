export function findTests(words: string[]): {
  vitest: string[];
  journeys: string[];
  title: string | undefined;
  searched: string[];
};
