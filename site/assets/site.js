/** What pages gain from scripts: the theme switch, the menu on phones, copy buttons, and the mark in the table of contents. */
(() => {
  const root = document.documentElement;
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : systemDark.matches);

  function themeSwitch() {
    const button = document.querySelector('.theme');
    const show = () => {
      button.setAttribute('aria-pressed', String(isDark()));
      document.dispatchEvent(new Event('themechange'));
    };
    button.hidden = false;
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      try {
        localStorage.setItem('theme', root.dataset.theme);
      } catch {}
      show();
    });
    systemDark.addEventListener('change', show);
    show();
  }

  function menuOnPhones() {
    const button = document.querySelector('.menu-button');
    const menu = document.getElementById('menu');
    const set = (open) => {
      button.setAttribute('aria-expanded', String(open));
      menu.classList.toggle('open', open);
    };
    button.hidden = false;
    button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
    menu.addEventListener('click', (event) => {
      if (event.target.closest('a')) set(false);
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
      set(false);
      button.focus();
    });
    document.addEventListener('click', (event) => {
      if (!menu.contains(event.target) && !button.contains(event.target)) set(false);
    });
  }

  function copyButtons() {
    const status = document.body.appendChild(document.createElement('p'));
    status.className = 'sr';
    status.setAttribute('role', 'status');
    for (const block of document.querySelectorAll('.code')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copy';
      button.textContent = 'Copy';
      button.addEventListener('click', async () => {
        const done = await copy(block.querySelector('code'));
        button.textContent = done ? 'Copied' : 'Select and copy';
        status.textContent = done ? 'Copied to the clipboard.' : 'The browser does not allow copying.';
        setTimeout(() => {
          button.textContent = 'Copy';
          status.textContent = '';
        }, 2000);
      });
      block.querySelector('.code-head').append(button);
    }
  }

  async function copy(code) {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      // Without https there is no clipboard; the old way still works.
      getSelection().selectAllChildren(code);
      return document.execCommand('copy');
    }
  }

  function markCurrentHeading() {
    const links = new Map(
      [...document.querySelectorAll('.toc a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
    );
    const headings = [...links.keys()].map((id) => document.getElementById(id));
    const mark = () => {
      const passed = headings.findLast((heading) => heading.getBoundingClientRect().top < 140) ?? headings[0];
      for (const [id, link] of links) link.classList.toggle('here', id === passed.id);
    };
    if (headings.length === 0) return;
    document.addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
    mark();
  }

  themeSwitch();
  menuOnPhones();
  copyButtons();
  markCurrentHeading();
})();
