// === vulnerable: location hash assigned to innerHTML
const panel = document.getElementById("panel");

function showSection(): void {
  const section = decodeURIComponent(window.location.hash.slice(1));
  if (panel) {
    panel.innerHTML = "<h2>" + section + "</h2>";
  }
}

window.addEventListener("hashchange", showSection);

// === vulnerable: search parameter written with document.write
const query = new URLSearchParams(document.location.search);
const campaign = query.get("campaign");

if (campaign) {
  document.write(`<p class="campaign">Welcome from ${campaign}</p>`);
}
console.log("page ready");

// === vulnerable: insertAdjacentHTML with a message event
interface Notice {
  title: string;
  body: string;
}

window.addEventListener("message", (event: MessageEvent<Notice>) => {
  const { title, body } = event.data;
  const list = document.querySelector("#notices")!;
  list.insertAdjacentHTML("beforeend", `<li><b>${title}</b> ${body}</li>`);
});

// === vulnerable: outerHTML through a helper with join
function render(parts: string[]): void {
  const target = document.querySelector("main") as HTMLElement;
  target.outerHTML = parts.join("");
}

const name = new URL(window.location.href).searchParams.get("name") ?? "guest";
render(["<main>", "Hello ", name, "</main>"]);

// === vulnerable: jquery html with location search
import $ from "jquery";

$(function () {
  const term = new URLSearchParams(location.search).get("q");
  $("#results-title").html("Results for " + term);
  $("#spinner").hide();
});

// === vulnerable: jquery append of referrer
import jQuery from "jquery";

const back = document.referrer;
const link = '<a href="' + decodeURI(back) + '">Back</a>';

jQuery(document).ready(() => {
  jQuery(".breadcrumbs").append(link);
});

// === vulnerable (tsx): dangerouslySetInnerHTML from useSearchParams
import { useSearchParams } from "react-router-dom";

export function SearchHeader() {
  const [params] = useSearchParams();
  const term = params.get("q") ?? "";
  return <h1 dangerouslySetInnerHTML={{ __html: `Results for ${term}` }} />;
}

// === vulnerable (tsx): dangerouslySetInnerHTML object built before with next router
import { useRouter } from "next/router";

export default function Welcome() {
  const router = useRouter();
  const markup = { __html: "<b>" + router.query.name + "</b>" };
  return (
    <section>
      <div dangerouslySetInnerHTML={markup} />
    </section>
  );
}

// === vulnerable (tsx): ref innerHTML in an effect with useParams
import { useEffect, useRef } from "react";
import { useParams } from "react-router-dom";

export function Article() {
  const { title } = useParams();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (ref.current) {
      ref.current.innerHTML = `<h1>${title}</h1>`;
    }
  }, [title]);
  return <div ref={ref} />;
}

// === vulnerable: vue h function with innerHTML prop from the route query
import { defineComponent, h } from "vue";
import { useRoute } from "vue-router";

export default defineComponent({
  name: "Greeting",
  setup() {
    const route = useRoute();
    return () => h("div", { class: "greeting", innerHTML: "Hello " + route.query.name });
  },
});

// === vulnerable: vue component template with v-html of the hash
import { createApp, ref } from "vue";

createApp({
  template: '<article v-html="content"></article>',
  setup() {
    const content = ref(decodeURIComponent(location.hash.substring(1)));
    return { content };
  },
}).mount("#app");

// === vulnerable: angular bypassSecurityTrustHtml of a query parameter
import { Component } from "@angular/core";
import { ActivatedRoute } from "@angular/router";
import { DomSanitizer, SafeHtml } from "@angular/platform-browser";

@Component({ selector: "app-banner", template: '<div [innerHTML]="banner"></div>' })
export class BannerComponent {
  banner: SafeHtml;

  constructor(route: ActivatedRoute, sanitizer: DomSanitizer) {
    const text = route.snapshot.queryParamMap.get("banner") ?? "";
    this.banner = sanitizer.bypassSecurityTrustHtml(text);
  }
}

// === vulnerable: angular bypassSecurityTrustUrl of window location text
import { Component, inject } from "@angular/core";
import { DomSanitizer } from "@angular/platform-browser";

@Component({ selector: "app-back", template: '<a [href]="target">Back</a>' })
export class BackComponent {
  private readonly sanitizer = inject(DomSanitizer);
  private readonly params = new URLSearchParams(window.location.search);
  target = this.sanitizer.bypassSecurityTrustUrl(this.params.get("back") ?? "/");
}

// === vulnerable: angular ElementRef nativeElement innerHTML from a subscription
import { Component, ElementRef, OnInit } from "@angular/core";
import { ActivatedRoute } from "@angular/router";

@Component({ selector: "app-title", template: "" })
export class TitleComponent implements OnInit {
  constructor(private route: ActivatedRoute, private host: ElementRef<HTMLElement>) {}

  ngOnInit(): void {
    this.route.queryParams.subscribe((params) => {
      this.host.nativeElement.innerHTML = "<h1>" + params["title"] + "</h1>";
    });
  }
}

// === vulnerable: createContextualFragment with window.name
const range = document.createRange();
const saved = window.name;
let markup = "<ul>";
for (const item of saved.split(",")) {
  markup += "<li>" + item + "</li>";
}
markup += "</ul>";
document.body.appendChild(range.createContextualFragment(markup));

// === vulnerable: location assigned from a parameter without a scheme check
const params = new URLSearchParams(window.location.search);
const button = document.querySelector<HTMLButtonElement>("#continue");

button?.addEventListener("click", () => {
  const next = params.get("next");
  if (next) {
    window.location.href = next;
  }
});

// === vulnerable: iframe srcdoc set by a class method from a message event
class Preview {
  private readonly frame = document.createElement("iframe");

  load(source: string): void {
    this.frame.srcdoc = source;
    document.body.append(this.frame);
  }
}

const preview = new Preview();
window.onmessage = (e) => preview.load(e.data.html);

// === vulnerable (js): setHTMLUnsafe with a decoded search value
const el = document.querySelector("#bio");
const raw = window.location.search.split("bio=")[1];
const bio = raw ? decodeURIComponent(raw) : "";

async function show(text) {
  await customElements.whenDefined("bio-card");
  el.setHTMLUnsafe(text);
}

show(bio);

// === safe: location hash assigned to textContent
const panel = document.getElementById("panel");

function showSection(): void {
  const section = decodeURIComponent(window.location.hash.slice(1));
  if (panel) {
    panel.textContent = section;
  }
}

window.addEventListener("hashchange", showSection);

// === safe: DOMPurify before innerHTML
import DOMPurify from "dompurify";

const params = new URLSearchParams(window.location.search);
const message = params.get("message") ?? "";
const box = document.querySelector("#message");

if (box) {
  box.innerHTML = DOMPurify.sanitize(message);
}

// === safe: createElement and append of text
window.addEventListener("message", (event) => {
  if (event.origin !== window.location.origin) return;
  const item = document.createElement("li");
  const title = document.createElement("b");
  title.textContent = event.data.title;
  item.append(title, " ", String(event.data.body));
  document.querySelector("#notices")?.append(item);
});

// === safe: jquery text
import $ from "jquery";

$(function () {
  const term = new URLSearchParams(location.search).get("q") ?? "";
  $("#results-title").text("Results for " + term);
  $("#results").html("<p>Loading</p>");
});

// === safe (tsx): interpolation in jsx
import { useSearchParams } from "react-router-dom";

export function SearchHeader() {
  const [params] = useSearchParams();
  const term = params.get("q") ?? "";
  return <h1 title={term}>Results for {term}</h1>;
}

// === safe (tsx): dangerouslySetInnerHTML of a constant style
import { useSearchParams } from "react-router-dom";

const CSS = ".dark { background: #111; }";

export function Theme() {
  const [params] = useSearchParams();
  return (
    <div className={params.get("theme") === "dark" ? "dark" : "light"}>
      <style dangerouslySetInnerHTML={{ __html: CSS }} />
    </div>
  );
}

// === safe (tsx): sanitised markup in dangerouslySetInnerHTML
import DOMPurify from "dompurify";
import { useRouter } from "next/router";

export default function Welcome() {
  const router = useRouter();
  const clean = DOMPurify.sanitize(String(router.query.bio ?? ""));
  return <div dangerouslySetInnerHTML={{ __html: clean }} />;
}

// === safe: vue h function with a text child
import { defineComponent, h } from "vue";
import { useRoute } from "vue-router";

export default defineComponent({
  name: "Greeting",
  setup() {
    const route = useRoute();
    return () => h("div", { class: "greeting" }, "Hello " + route.query.name);
  },
});

// === safe: vue mustache template
import { createApp, ref } from "vue";

createApp({
  template: "<article>{{ content }}</article>",
  setup() {
    const content = ref(decodeURIComponent(location.hash.substring(1)));
    return { content };
  },
}).mount("#app");

// === safe: angular innerHTML binding with the built in sanitizer
import { Component } from "@angular/core";
import { ActivatedRoute } from "@angular/router";

@Component({ selector: "app-banner", template: '<div [innerHTML]="banner"></div>' })
export class BannerComponent {
  banner: string;

  constructor(route: ActivatedRoute) {
    this.banner = route.snapshot.queryParamMap.get("banner") ?? "";
  }
}

// === safe: angular bypassSecurityTrustHtml of a constant icon
import { Component } from "@angular/core";
import { DomSanitizer, SafeHtml } from "@angular/platform-browser";

const ICON = '<svg viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>';

@Component({ selector: "app-icon", template: '<span [innerHTML]="icon"></span>' })
export class IconComponent {
  readonly icon: SafeHtml;
  constructor(sanitizer: DomSanitizer) {
    this.icon = sanitizer.bypassSecurityTrustHtml(ICON);
  }
}

// === safe: angular sanitizer.sanitize
import { Component, SecurityContext } from "@angular/core";
import { ActivatedRoute } from "@angular/router";
import { DomSanitizer } from "@angular/platform-browser";

@Component({ selector: "app-note", template: '<p [innerHTML]="note"></p>' })
export class NoteComponent {
  note: string | null;
  constructor(route: ActivatedRoute, sanitizer: DomSanitizer) {
    const text = route.snapshot.queryParamMap.get("note");
    this.note = sanitizer.sanitize(SecurityContext.HTML, text);
  }
}

// === safe: numeric page in innerHTML
const page = Number(new URLSearchParams(location.search).get("page") ?? 1);
const footer = document.querySelector("footer")!;

function update(current: number): void {
  footer.innerHTML = `<b>Page ${current}</b>`;
}

update(page);

// === safe: escaping helper of the same file
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c]);
}

const name = new URLSearchParams(location.search).get("name") ?? "";
document.querySelector("main")!.innerHTML = `<p>Hello ${escapeHtml(name)}</p>`;

// === safe: same origin path check before navigation
const params = new URLSearchParams(window.location.search);

document.querySelector("#continue")?.addEventListener("click", () => {
  const next = new URL(params.get("next") ?? "/", window.location.origin);
  if (next.origin === window.location.origin && next.protocol === "https:") {
    window.location.assign(next.href);
  }
});

// === safe: innerHTML cleared and write method of another object
const log: string[] = [];
const printer = {
  write(text: string) {
    log.push(text);
  },
};

const list = document.querySelector("#list")!;
list.innerHTML = "";
printer.write("<p>" + location.hash + "</p>");

// === safe: constant looked up by hash
const VIEWS = new Map([
  ["#home", "<h1>Home</h1>"],
  ["#about", "<h1>About</h1>"],
]);

function route(): void {
  const html = VIEWS.get(location.hash) ?? "<h1>Not found</h1>";
  document.querySelector("#view")!.innerHTML = html;
}

window.addEventListener("hashchange", route);
