import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names without falsy parts. A later Tailwind class overrides an earlier one of the same group. */
export function cn(...parts: ClassValue[]): string {
  return twMerge(clsx(parts));
}
