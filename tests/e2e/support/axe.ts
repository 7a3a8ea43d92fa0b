// What axe finds wrong on a page, in short: the rule, and the elements that break it.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * @param narrow instead of WCAG 2.2 AA and axe's best practice
 * @returns empty when all is well
 */
export async function faultsOf(
  page: Page,
  narrow: (axe: AxeBuilder) => AxeBuilder = (axe) => axe.withTags(RULES),
): Promise<[rule: string, elements: string[]][]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  // Our pages hold no frames, so axe need not put its findings together in a page of its own.
  const { violations } = await narrow(axe.setLegacyMode()).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
