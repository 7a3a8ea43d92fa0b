// The menu itself is loaded when it is first opened.
import { lazy, useState } from 'react';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { THEME_LABELS, useTheme } from '#web/lib/app/theme.ts';
import { LazyPart } from './lazy-part.tsx';

const ThemeChoices = lazy(async () => ({
  default: (await import('./theme-choices.tsx')).ThemeChoices,
}));

export function ThemeMenu({ className }: { className?: string }) {
  const [isWanted, setWanted] = useState(false);
  const { Icon } = THEME_LABELS[useTheme()];
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
