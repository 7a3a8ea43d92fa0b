import { useEffect } from 'react';
import { company } from '#company';

/** @param screen what is open; the company's short name follows, so that a browser's tab has room for both */
export const pageTitle = (screen: string) => `${screen} · ${company.shortName}`;

export function usePageTitle(screen: string): void {
  useEffect(() => {
    document.title = pageTitle(screen);
  }, [screen]);
}
