import type { Page } from '@playwright/test';
import type { DemoName } from './people.ts';
import { expect } from './test.ts';

export type Screen = {
  name: string;
  path: string;
  as: DemoName | 'visitor';
  /** Waits until the screen is complete. */
  ready: (page: Page, url: string) => Promise<void>;
  /** Whether the state has to be set up again at each width. */
  eachWidth?: boolean;
};

/** Waits until the text is visible. */
export const sees = (text: string | RegExp) => async (page: Page) => {
  await expect(
    page.getByText(text, { exact: true }).filter({ visible: true }).first(),
  ).toBeVisible();
};
