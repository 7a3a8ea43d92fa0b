import { useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { useObjectUrl } from '#web/lib/files/object-url.ts';
import { formatInitials } from '#web/lib/format/person-name.ts';

type AvatarProps = {
  name: string;
  photo: Blob | undefined;
  /** Size of the circle, and of the initials. */
  className: string;
};

/** The photo of a person, or the initials until there is one. */
export function Avatar({ name, photo, className }: AvatarProps) {
  const url = useObjectUrl(photo);
  const [broken, setBroken] = useState<string>();
  const shape = 'shrink-0 rounded-full';
  if (url && url !== broken) {
    return (
      <img
        src={url}
        alt={name}
        className={cn(shape, 'bg-sunken object-cover', className)}
        onError={() => setBroken(url)}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={cn(
        shape,
        'grid place-items-center bg-accent-fill/20 font-semibold text-accent print:border print:border-line',
        className,
      )}
    >
      {formatInitials(name)}
    </span>
  );
}
