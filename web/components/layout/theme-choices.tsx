import { buttonStyles } from '#web/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
import { chooseTheme, THEME_LABELS, THEMES, useTheme } from '#web/lib/app/theme.ts';

export function ThemeChoices({ className }: { className?: string }) {
  const theme = useTheme();
  const { Icon: CurrentIcon } = THEME_LABELS[theme];
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
            const { label, Icon } = THEME_LABELS[choice];
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
