import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

type DisclosureButtonProps = {
  isOpen: boolean;
  /** The id of what it shows and hides. */
  controls: string;
  onToggle: () => void;
  children: ReactNode;
};

/** A text as button; the nearest `relative` ancestor can be pressed everywhere. */
export function DisclosureButton({ isOpen, controls, onToggle, children }: DisclosureButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={controls}
      className="min-h-11 text-left after:absolute after:inset-0"
      onClick={onToggle}
    >
      {children}
    </button>
  );
}

type DisclosureMarkProps = { isOpen: boolean; className: string };

export function DisclosureMark({ isOpen, className }: DisclosureMarkProps) {
  return (
    <ChevronDown
      aria-hidden="true"
      className={cn(
        'text-muted transition-transform print:hidden',
        isOpen && 'rotate-180',
        className,
      )}
    />
  );
}
