import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * @param narrow selects other rules than WCAG 2.2 AA and axe's best practices
 * @returns violated rules with their elements
 */
export async function faultsOf(
  page: Page,
  narrow: (axe: AxeBuilder) => AxeBuilder = (axe) => axe.withTags(RULES),
): Promise<[rule: string, elements: string[]][]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  // Legacy mode skips merging results of frames, which our pages don't have.
  const { violations } = await narrow(axe.setLegacyMode()).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
