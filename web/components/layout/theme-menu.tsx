// Light, dark, or as the system has it.
import { Monitor, Moon, Sun } from 'lucide-react';
import { buttonStyles } from '#web/components/ui/button-styles.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
import { chooseTheme, THEMES, useTheme } from '#web/lib/theme.ts';

const CHOICES = {
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
  system: { label: 'System', Icon: Monitor },
} as const;

export function ThemeMenu({ className }: { className?: string }) {
  const theme = useTheme();
  const { Icon: CurrentIcon } = CHOICES[theme];
  return (
    <DropdownMenu>
      <DropdownMenuTrigger
        className={buttonStyles({ variant: 'ghost', size: 'icon', className })}
        aria-label="Colour theme"
      >
        <CurrentIcon aria-hidden="true" className="size-5" />
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup value={theme}>
          {THEMES.map((choice) => {
            const { label, Icon } = CHOICES[choice];
            return (
              <DropdownMenuRadioItem
                key={choice}
                value={choice}
                onSelect={() => chooseTheme(choice)}
              >
                <Icon aria-hidden="true" className="size-4 text-muted" />
                {label}
              </DropdownMenuRadioItem>
            );
          })}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
