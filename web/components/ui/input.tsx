// A one-line text control.
import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';
import { controlStyles } from './control-styles.ts';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(controlStyles, 'h-11 px-3', className)} {...rest} />;
}
