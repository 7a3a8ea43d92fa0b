import { Check } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';

export const DropdownMenu = Primitive.Root;
export const DropdownMenuTrigger = Primitive.Trigger;
export const DropdownMenuRadioGroup = Primitive.RadioGroup;

export function DropdownMenuContent({
  className,
  ...rest
}: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          'z-50 min-w-44 rounded-sm border border-line bg-raised p-1 text-ink shadow-overlay',
          className,
        )}
        {...rest}
      />
    </Primitive.Portal>
  );
}

const itemStyles = [
  'flex min-h-11 cursor-default items-center gap-2.5 rounded-xs px-3 text-sm outline-none select-none',
  'data-[highlighted]:bg-sunken',
];

export function DropdownMenuItem({ className, ...rest }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item className={cn(itemStyles, className)} {...rest} />;
}

export function DropdownMenuRadioItem({
  className,
  children,
  ...rest
}: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem className={cn(itemStyles, className)} {...rest}>
      {children}
      <Primitive.ItemIndicator className="ml-auto">
        <Check aria-hidden="true" className="size-4 text-accent" />
      </Primitive.ItemIndicator>
    </Primitive.RadioItem>
  );
}
