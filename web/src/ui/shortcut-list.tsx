// In charge of the dialog that lists the keyboard shortcuts.
import { Kbd } from '@mantine/core'
import { Dialog } from './dialog.tsx'
import type { Shortcuts } from './shortcut-help.tsx'

export function ShortcutList({ shortcuts, close }: { shortcuts: Shortcuts; close: () => void }) {
  return (
    <Dialog onClose={close} title="Keyboard shortcuts">
      {shortcuts.map(([group, keys]) => (
        <section key={group}>
          <h3 className="shortcut-group">{group}</h3>
          <dl className="shortcuts">
            {keys.map(([key, means]) => (
              <div key={key}>
                <dt>
                  <Kbd>{key}</Kbd>
                </dt>
                <dd>{means}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
