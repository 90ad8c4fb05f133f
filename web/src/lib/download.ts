// In charge of offering a text to the user as a file to download.

export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By the next turn of the event loop the browser has begun the download.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
