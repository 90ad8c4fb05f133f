// In charge of the dialog that asks for the name under which the view of the board is saved.
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'

type Props = { title: string; close: () => void; save: (name: string) => void }

export function ViewDialog({ title, close, save }: Props) {
  const [name, setName] = useState('')
  return (
    <Dialog onClose={close} title={title} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '') return
          save(name.trim())
          close()
        }}
      >
        <TextInput
          data-autofocus
          label="Name"
          description="Search, filter and sort are kept under it in this browser. To share a view, send its link."
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className="dialog-foot">
          <Button type="submit" disabled={name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
