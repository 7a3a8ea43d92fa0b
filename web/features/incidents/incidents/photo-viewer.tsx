import { ChevronLeft, ChevronRight, ExternalLink, type LucideIcon } from 'lucide-react';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { useEvidenceLinks } from './evidence-api.ts';
import { readFileName } from './evidence-rules.ts';
import type { Evidence } from './schema.ts';

type StepButtonProps = {
  label: string;
  Icon: LucideIcon;
  /** Undefined at the end of the list. */
  to: Evidence | undefined;
  onShow: (photo: Evidence) => void;
};

function StepButton({ label, Icon, to, onShow }: StepButtonProps) {
  return (
    <Button
      variant="secondary"
      size="icon"
      aria-label={label}
      disabled={!to}
      onClick={() => to && onShow(to)}
    >
      <Icon aria-hidden="true" className="size-5" />
    </Button>
  );
}

type PhotoViewerProps = {
  photos: Evidence[];
  shown: Evidence;
  onShow: (photo: Evidence) => void;
  onClose: () => void;
};

export function PhotoViewer({ photos, shown, onShow, onClose }: PhotoViewerProps) {
  const index = photos.findIndex(({ id }) => id === shown.id);
  const [previous, next] = [photos[index - 1], photos[index + 1]];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={readFileName(shown)}
      description={`Added ${formatLongDateTime(shown.created_at)}`}
      className="sm:max-w-5xl"
    >
      <Loaded query={useEvidenceLinks(shown)} loadingText="Loading photo...">
        {({ full }) => (
          <div className="grid gap-4">
            <img
              src={full}
              alt={`Evidence ${index + 1} of ${photos.length}`}
              className="mx-auto max-h-[65dvh] rounded-sm bg-sunken object-contain"
            />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <a
                href={full}
                target="_blank"
                rel="noreferrer"
                className={buttonStyles({ variant: 'secondary' })}
              >
                <ExternalLink aria-hidden="true" className="size-4" />
                Open original
                <span className="sr-only">(opens in a new tab)</span>
              </a>
              {photos.length > 1 && (
                <div className="flex items-center gap-2">
                  <StepButton
                    label="Previous photo"
                    Icon={ChevronLeft}
                    to={previous}
                    onShow={onShow}
                  />
                  <p role="status" className="text-sm tabular-nums">
                    {index + 1} of {photos.length}
                  </p>
                  <StepButton label="Next photo" Icon={ChevronRight} to={next} onShow={onShow} />
                </div>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
