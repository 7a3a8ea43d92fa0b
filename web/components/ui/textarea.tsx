// A text control of several lines.
import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';
import { controlStyles } from './control-styles.ts';

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea className={cn(controlStyles, 'min-h-24 resize-y px-3 py-2.5', className)} {...rest} />
  );
}
