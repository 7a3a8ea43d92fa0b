import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

type StepsProps = Pick<ComponentProps<typeof IconButton>, 'variant' | 'iconClass'> & {
  /** For example "week". */
  unit: string;
  onStep: (step: -1 | 1) => void;
  /** Between the buttons. */
  children?: ReactNode;
};

export function Steps({ unit, onStep, children, ...button }: StepsProps) {
  return (
    <>
      <IconButton
        {...button}
        label={`Previous ${unit}`}
        Icon={ChevronLeft}
        onClick={() => onStep(-1)}
      />
      {children}
      <IconButton
        {...button}
        label={`Next ${unit}`}
        Icon={ChevronRight}
        onClick={() => onStep(1)}
      />
    </>
  );
}
