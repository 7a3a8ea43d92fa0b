import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { cn } from '#web/lib/cn.ts';

/** 16 px text, because iOS zooms into smaller controls. */
export const controlStyles = [
  'w-full min-w-0 rounded-sm border border-line-strong bg-raised text-base text-ink',
  'placeholder:text-muted/80 transition-[border-color] duration-150 hover:border-ink/60',
  'aria-invalid:border-danger aria-invalid:hover:border-danger',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted',
  // The browser's own button of a file field.
  'file:mr-3 file:h-full file:cursor-pointer file:rounded-sm file:border file:border-solid file:border-line-strong',
  'file:bg-sunken file:px-3 file:text-sm file:font-semibold file:text-ink',
].join(' ');

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(controlStyles, 'h-11 px-3', className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea className={cn(controlStyles, 'min-h-24 resize-y px-3 py-2.5', className)} {...rest} />
  );
}

export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-12" />
      <button
        type="button"
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-sm text-muted hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-5" />
        <span className="sr-only">Show what I type</span>
      </button>
    </div>
  );
}
