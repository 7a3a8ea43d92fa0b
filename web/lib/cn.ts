// Joins class names; a later Tailwind class wins over an earlier one of the same kind.
import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** @returns one class string; falsy parts are left out */
export function cn(...parts: ClassValue[]): string {
  return twMerge(clsx(parts));
}
