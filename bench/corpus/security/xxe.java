// === vulnerable: DocumentBuilderFactory with defaults on the request
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.xml.sax.SAXException;

@WebServlet("/invoice")
public class InvoiceServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            var doc = factory.newDocumentBuilder().parse(req.getInputStream());
            resp.getWriter().println(doc.getDocumentElement().getTextContent());
        } catch (SAXException | ParserConfigurationException e) {
            resp.sendError(400);
        }
    }
}

// === vulnerable: SAXParser with defaults
package com.acme.portal;

import java.io.StringReader;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.xml.sax.InputSource;
import org.xml.sax.helpers.DefaultHandler;

@RestController
public class FeedController {
    @PostMapping("/feed")
    public String feed(@RequestBody String xml) throws Exception {
        SAXParser parser = SAXParserFactory.newInstance().newSAXParser();
        StringBuilder text = new StringBuilder();
        parser.parse(new InputSource(new StringReader(xml)), new DefaultHandler() {
            @Override
            public void characters(char[] ch, int start, int length) {
                text.append(ch, start, length);
            }
        });
        return text.toString();
    }
}

// === vulnerable: XMLInputFactory with defaults
package com.acme.portal;

import java.io.StringReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class StreamController {
    @PostMapping("/stream")
    public String first(@RequestBody String xml) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml));
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamReader.CHARACTERS) {
                return reader.getText();
            }
        }
        return "";
    }
}

// === vulnerable: JDOM SAXBuilder
package com.acme.portal;

import org.jdom2.input.SAXBuilder;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

@RestController
public class CatalogController {
    @PostMapping("/catalog")
    public String upload(@RequestParam("file") MultipartFile file) throws Exception {
        SAXBuilder builder = new SAXBuilder();
        return builder.build(file.getInputStream()).getRootElement().getText();
    }
}

// === vulnerable: dom4j SAXReader
package com.acme.portal;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.StringReader;
import org.dom4j.io.SAXReader;

public class SettingsServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        try {
            SAXReader reader = new SAXReader();
            var document = reader.read(new StringReader(req.getParameter("settings")));
            resp.getWriter().println(document.getRootElement().getStringValue());
        } catch (Exception e) {
            resp.sendError(400);
        }
    }
}

// === vulnerable: Transformer over a request document
package com.acme.portal;

import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TransformController {
    @PostMapping("/transform")
    public String transform(@RequestBody String xml) throws Exception {
        TransformerFactory factory = TransformerFactory.newInstance();
        StringWriter out = new StringWriter();
        factory.newTransformer().transform(new StreamSource(new StringReader(xml)), new StreamResult(out));
        return out.toString();
    }
}

// === safe: doctype declarations disallowed
package com.acme.portal;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.xml.sax.SAXException;

@WebServlet("/invoice")
public class InvoiceServlet extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setXIncludeAware(false);
            var doc = factory.newDocumentBuilder().parse(req.getInputStream());
            resp.getWriter().println(doc.getDocumentElement().getTextContent());
        } catch (SAXException | ParserConfigurationException e) {
            resp.sendError(400);
        }
    }
}

// === safe: StAX without DTD support
package com.acme.portal;

import java.io.StringReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class StreamController {
    @PostMapping("/stream")
    public boolean first(@RequestBody String xml) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml));
        return reader.hasNext();
    }
}

// === safe: SAX parser with features off
package com.acme.portal;

import java.io.StringReader;
import javax.xml.parsers.SAXParserFactory;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.xml.sax.InputSource;
import org.xml.sax.helpers.DefaultHandler;

@RestController
public class FeedController {
    @PostMapping("/feed")
    public void feed(@RequestBody String xml) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
        factory.newSAXParser().parse(new InputSource(new StringReader(xml)), new DefaultHandler());
    }
}

// === safe: TransformerFactory without external access
package com.acme.portal;

import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.XMLConstants;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TransformController {
    @PostMapping("/transform")
    public String transform(@RequestBody String xml) throws Exception {
        TransformerFactory factory = TransformerFactory.newInstance();
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_STYLESHEET, "");
        StringWriter out = new StringWriter();
        factory.newTransformer().transform(new StreamSource(new StringReader(xml)), new StreamResult(out));
        return out.toString();
    }
}

// === safe: JDOM builder without doctype
package com.acme.portal;

import org.jdom2.input.SAXBuilder;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

@RestController
public class CatalogController {
    @PostMapping("/catalog")
    public String upload(@RequestParam("file") MultipartFile file) throws Exception {
        SAXBuilder builder = new SAXBuilder();
        builder.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        builder.setExpandEntities(false);
        return builder.build(file.getInputStream()).getRootElement().getText();
    }
}

// === vulnerable: an uploaded invoice is read with a SAX parser
package com.example.invoices;

import java.io.IOException;
import javax.xml.parsers.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.multipart.MultipartFile;
import org.xml.sax.SAXException;

@RestController
class InvoiceController {
    @PostMapping("/invoices")
    int upload(@RequestParam MultipartFile invoice) throws ParserConfigurationException, SAXException, IOException {
        InvoiceHandler handler = new InvoiceHandler();
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setNamespaceAware(true);
        SAXParser parser = factory.newSAXParser();
        parser.parse(invoice.getInputStream(), handler);
        return handler.lines();
    }
}

// === safe: document types are forbidden before anything is read
package com.example.invoices;

import java.io.InputStream;
import javax.xml.stream.*;

class InvoiceReader {
    int lines(InputStream invoice) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, Boolean.FALSE);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, Boolean.FALSE);
        XMLStreamReader reader = factory.createXMLStreamReader(invoice);
        int lines = 0;
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamConstants.START_ELEMENT && "line".equals(reader.getLocalName())) {
                lines++;
            }
        }
        return lines;
    }
}
