// A button that opens the camera or the file dialog. The input itself is what is pressed, so that a screen reader names it.
import type { ReactNode } from 'react';
import { buttonStyles } from '#web/components/ui/button-styles.ts';
import { cn } from '#web/lib/cn.ts';

type ChooseFilesProps = {
  label: string;
  icon: ReactNode;
  accept: string;
  /** Opens the camera of a phone. */
  camera?: boolean;
  onChoose: (files: File[]) => void;
};

export function ChooseFiles({ label, icon, accept, camera, onChoose }: ChooseFilesProps) {
  return (
    <label
      className={cn(
        buttonStyles({ variant: 'secondary' }),
        'relative flex-1 cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
      )}
    >
      {icon}
      {label}
      <input
        type="file"
        accept={accept}
        {...(camera ? { capture: 'environment' as const } : { multiple: true })}
        className="absolute -inset-px size-[calc(100%+2px)] cursor-pointer opacity-0"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          // The same file can be chosen again after it was removed.
          target.value = '';
        }}
      />
    </label>
  );
}
