import { Tooltip as Primitive } from 'radix-ui';
import type { ReactElement } from 'react';

type TooltipProps = {
  text: string;
  /** False while the name is visible anyway. */
  enabled: boolean;
  /** One focusable element. */
  children: ReactElement;
};

export function Tooltip({ text, enabled, children }: TooltipProps) {
  return (
    <Primitive.Provider delayDuration={200}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        {enabled && (
          <Primitive.Portal>
            <Primitive.Content
              side="right"
              sideOffset={8}
              className="z-50 rounded-xs bg-ink px-2.5 py-1.5 text-sm font-medium text-surface"
            >
              {text}
            </Primitive.Content>
          </Primitive.Portal>
        )}
      </Primitive.Root>
    </Primitive.Provider>
  );
}
