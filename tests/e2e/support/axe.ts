import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** WCAG 2.2 AA and axe's best practices. */
const STANDARD = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Instead of all rules on the whole page. */
type Narrower = {
  rules?: readonly string[];
  /** A CSS selector. */
  within?: string;
};

type Fault = [rule: string, elements: string[]];

/** @returns violated rules with their elements */
export async function faultsOf(page: Page, { rules, within }: Narrower = {}): Promise<Fault[]> {
  // Once for each document. Our pages have no frames.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options = {
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: STANDARD },
    resultTypes: ['violations'],
  };
  const context = within === undefined ? 'document' : JSON.stringify(within);
  return page.evaluate<Fault[]>(`
    axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`);
}
