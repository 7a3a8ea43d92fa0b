import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'size' | 'children' | 'aria-label'> & {
  /** For screen readers; also the tooltip, unless there is a shorter `title`. */
  label: string;
  Icon: LucideIcon;
  iconClass?: string;
};

export function IconButton(props: IconButtonProps) {
  const { label, Icon, iconClass = 'size-4', variant = 'ghost', ...button } = props;
  return (
    <Button variant={variant} size="icon" title={label} aria-label={label} {...button}>
      <Icon aria-hidden="true" className={iconClass} />
    </Button>
  );
}
