// The table in the browser.
