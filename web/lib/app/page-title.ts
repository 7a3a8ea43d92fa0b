import { useEffect } from 'react';
import { company } from '#company';

/** @param title of the screen; the company's name is appended */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${company.name}`;
  }, [title]);
}
