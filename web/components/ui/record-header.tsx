import type { ReactNode } from 'react';
import { Card } from './card.tsx';

type RecordHeaderProps = {
  name: string;
  /** Beside the name. */
  picture?: ReactNode;
  /** Below the name: what it is, and badges. */
  subtitle: ReactNode;
  /** Below the subtitle. */
  buttons?: ReactNode;
  actions: ReactNode;
  /** Links to get in touch. */
  contact?: ReactNode;
  /** Facts: `Item`s. */
  children: ReactNode;
  /** What happens now. */
  foot?: ReactNode;
};

/** The head of the page of a person, a site or a client. */
export function RecordHeader(props: RecordHeaderProps) {
  const { name, picture, subtitle, buttons, actions, contact, children, foot } = props;
  return (
    <Card>
      <div className="grid gap-5 p-5 sm:p-6">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="flex min-w-0 flex-1 basis-80 items-start gap-4 sm:gap-6">
            {picture}
            <div className="min-w-0">
              <h2 className="font-display text-3xl leading-tight [overflow-wrap:anywhere] sm:text-4xl">
                {name}
              </h2>
              <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted">
                {subtitle}
              </p>
              {buttons}
            </div>
          </div>
          {actions}
        </div>
        {contact}
        <dl className="flex flex-wrap gap-x-10 gap-y-3">{children}</dl>
      </div>
      {foot}
    </Card>
  );
}
