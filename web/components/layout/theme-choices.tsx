// The choices of the theme menu, which open as soon as they are loaded.
import { buttonStyles } from '#web/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
import { chooseTheme, THEMES, useTheme } from '#web/lib/app/theme.ts';
import { CHOICES } from './theme-looks.ts';

export function ThemeChoices({ className }: { className?: string }) {
  const theme = useTheme();
  const { Icon: CurrentIcon } = CHOICES[theme];
  return (
    <DropdownMenu defaultOpen>
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
