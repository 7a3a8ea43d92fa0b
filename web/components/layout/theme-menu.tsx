// Light, dark, or as the system has it. The menu itself is loaded when it is first opened: the first screen does without.
import { lazy, useState } from 'react';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { useTheme } from '#web/lib/app/theme.ts';
import { LazyPart } from './lazy-part.tsx';
import { CHOICES } from './theme-looks.ts';

const ThemeChoices = lazy(async () => ({
  default: (await import('./theme-choices.tsx')).ThemeChoices,
}));

export function ThemeMenu({ className }: { className?: string }) {
  const [isWanted, setWanted] = useState(false);
  const { Icon } = CHOICES[useTheme()];
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label="Colour theme"
      className={buttonStyles({ variant: 'ghost', size: 'icon', className })}
      onClick={() => setWanted(true)}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
  if (!isWanted) return button;
  return (
    <LazyPart fallback={button} instead={button} onClose={() => setWanted(false)}>
      <ThemeChoices className={className} />
    </LazyPart>
  );
}
