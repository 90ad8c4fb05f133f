// In charge of letting the user download a text as a file.

export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Frees the URL only after the click has been processed, because the browser needs the URL to begin the download.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
