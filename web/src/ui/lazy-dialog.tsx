// In charge of dialogs whose scripts are loaded when the dialog is first opened.
import type { ComponentType } from 'react'
import { lazyPart } from './lazy-part.tsx'
import { TopDialog } from './top-dialog.tsx'

/** As `lazyPart`; nothing is shown meanwhile. If it cannot be loaded, a dialog says so, with the title and way out that `failed` gives. */
export const lazyDialog = <Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
  failed: (props: Props) => { title: string; close: () => void },
) =>
  lazyPart(what, load, {
    loading: null,
    failedIn: (content, props) => <TopDialog {...failed(props)}>{content}</TopDialog>,
  })
